SELECT s_state, upper(s_county) AS county, d_year % 2 AS odd, sum(ss_quantity) + 1 AS units
FROM store_sales JOIN store ON ss_store_sk = s_store_sk JOIN date_dim ON ss_sold_date_sk = d_date_sk
GROUP BY ALL
ORDER BY ALL
