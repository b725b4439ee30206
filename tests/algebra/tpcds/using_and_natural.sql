WITH sold AS (SELECT ss_item_sk AS item_sk, ss_customer_sk AS customer_sk, ss_quantity AS sold FROM store_sales),
  back AS (SELECT sr_item_sk AS item_sk, sr_customer_sk AS customer_sk, sr_return_quantity AS back FROM store_returns),
  prices AS (SELECT i_item_sk AS item_sk, i_current_price FROM item)
SELECT *
FROM sold FULL JOIN back USING (item_sk, customer_sk) NATURAL LEFT JOIN prices
