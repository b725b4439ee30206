SELECT s_state, s_county, d_year, sum(ss_quantity) AS units, grouping_id() AS level
FROM store_sales
JOIN store ON ss_store_sk = s_store_sk
JOIN date_dim ON ss_sold_date_sk = d_date_sk
GROUP BY CUBE (s_state, s_county, d_year)
