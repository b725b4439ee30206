SELECT i_category, i_item_sk, revenue
FROM (
  SELECT i_category, i_item_sk, sum(ss_ext_sales_price) AS revenue
  FROM store_sales JOIN item ON ss_item_sk = i_item_sk
  GROUP BY i_category, i_item_sk
)
QUALIFY row_number() OVER (PARTITION BY i_category ORDER BY revenue DESC NULLS LAST, i_item_sk) <= 2
