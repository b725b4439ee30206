SELECT
  ss_store_sk, ss_sold_date_sk, total,
  sum(total) OVER (PARTITION BY ss_store_sk ORDER BY ss_sold_date_sk ROWS UNBOUNDED PRECEDING) AS so_far,
  avg(total) OVER (PARTITION BY ss_store_sk ORDER BY ss_sold_date_sk ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth,
  lag(total, 1) OVER by_day AS before,
  lead(total, 2, 0.00) OVER by_day AS later
FROM (
  SELECT ss_store_sk, ss_sold_date_sk, sum(ss_ext_sales_price) AS total
  FROM store_sales
  GROUP BY ss_store_sk, ss_sold_date_sk
)
WINDOW by_day AS (PARTITION BY ss_store_sk ORDER BY ss_sold_date_sk)
