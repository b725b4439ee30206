(SELECT ss_item_sk AS item FROM store_sales EXCEPT ALL SELECT ws_item_sk FROM web_sales)
INTERSECT ALL
SELECT cs_item_sk FROM catalog_sales
