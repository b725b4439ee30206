SELECT
  i_item_id,
  (SELECT count(*) FROM store_sales WHERE ss_item_sk = i_item_sk AND ss_quantity > 90) AS large_sales,
  (SELECT max(ws_sales_price) FROM web_sales WHERE ws_item_sk = i_item_sk) AS highest,
  i_item_sk IN (SELECT sr_item_sk FROM store_returns WHERE sr_item_sk IS NOT NULL) AS came_back,
  i_current_price > (SELECT avg(i_current_price) FROM item) AS dear
FROM item
ORDER BY i_item_id
