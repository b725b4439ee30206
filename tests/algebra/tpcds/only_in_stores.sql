SELECT ss_item_sk, ss_customer_sk FROM store_sales
EXCEPT
SELECT ws_item_sk, ws_customer_sk FROM web_sales
EXCEPT
SELECT cs_item_sk, cs_customer_sk FROM catalog_sales
ORDER BY ss_item_sk, ss_customer_sk
