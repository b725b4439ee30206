SELECT channel, max(price) AS highest, count(*) AS prices
FROM (SELECT ss_order_number, ss_sales_price, ss_ext_sales_price FROM store_sales)
UNPIVOT (price FOR channel IN (ss_sales_price AS single, ss_ext_sales_price AS extended))
GROUP BY channel
