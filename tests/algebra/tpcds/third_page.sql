SELECT ss_order_number, ss_item_sk, ss_ext_sales_price
FROM store_sales
WHERE ss_ext_sales_price IS NOT NULL
ORDER BY ss_ext_sales_price DESC, ss_order_number, ss_item_sk
LIMIT 10 OFFSET 20
