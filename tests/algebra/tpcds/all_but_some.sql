SELECT i.* EXCEPT (i_color, i_brand), w.total, w.total / 2 AS half, half + 1 AS more
FROM item i
LEFT SEMI JOIN store_sales ON i_item_sk = ss_item_sk AND ss_quantity > 95
JOIN (SELECT ws_item_sk, sum(ws_ext_sales_price) AS total FROM web_sales GROUP BY ws_item_sk) w ON i_item_sk = ws_item_sk
