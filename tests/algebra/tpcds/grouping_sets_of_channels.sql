WITH sold AS (
  SELECT 'store' AS channel, ss_item_sk AS item_sk, ss_ext_sales_price AS price FROM store_sales
  UNION ALL
  SELECT 'web', ws_item_sk, ws_ext_sales_price FROM web_sales
  UNION ALL
  SELECT 'catalog', cs_item_sk, cs_ext_sales_price FROM catalog_sales
)
SELECT channel, i_category, count(*) AS sales, sum(price) AS total
FROM sold JOIN item ON item_sk = i_item_sk
GROUP BY channel, i_category GROUPING SETS ((channel, i_category), (channel), (i_category), ())
HAVING count(*) > 3
