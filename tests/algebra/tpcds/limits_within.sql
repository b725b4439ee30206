SELECT channel, price
FROM (
  (SELECT 'store' AS channel, ss_ext_sales_price AS price FROM store_sales ORDER BY price DESC, channel LIMIT 3)
  UNION ALL
  (SELECT 'web', ws_ext_sales_price FROM web_sales ORDER BY ws_ext_sales_price DESC LIMIT 3)
)
WHERE price > 10
ORDER BY price DESC
