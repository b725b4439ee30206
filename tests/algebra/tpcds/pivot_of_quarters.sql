SELECT *
FROM (
  SELECT i_category, d_qoy, ss_net_profit
  FROM store_sales JOIN item ON ss_item_sk = i_item_sk JOIN date_dim ON ss_sold_date_sk = d_date_sk
)
PIVOT (sum(ss_net_profit) FOR d_qoy IN (1 AS q1, 2 AS q2, 3 AS q3, 4 AS q4))
ORDER BY i_category
