SELECT ascending.rnk, i1.i_item_id AS best_performing, i2.i_item_id AS worst_performing
FROM (
  SELECT item_sk, rank() OVER (ORDER BY rank_col, item_sk) AS rnk
  FROM (
    SELECT ss_item_sk AS item_sk, avg(ss_net_profit) AS rank_col
    FROM store_sales
    GROUP BY ss_item_sk
    HAVING avg(ss_net_profit) > 0.1 * (SELECT avg(ss_net_profit) FROM store_sales WHERE ss_store_sk = 4)
  ) v1
) ascending,
(
  SELECT item_sk, rank() OVER (ORDER BY rank_col DESC, item_sk) AS rnk
  FROM (
    SELECT ss_item_sk AS item_sk, avg(ss_net_profit) AS rank_col
    FROM store_sales
    GROUP BY ss_item_sk
  ) v2
) descending, item i1, item i2
WHERE ascending.rnk = descending.rnk
  AND ascending.rnk < 11
  AND i1.i_item_sk = ascending.item_sk
  AND i2.i_item_sk = descending.item_sk
ORDER BY ascending.rnk
