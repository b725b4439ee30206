SELECT
  s_store_name,
  sum(CASE WHEN d_day_name = 'Sunday' THEN ss_sales_price ELSE NULL END) AS sunday,
  sum(CASE WHEN d_day_name = 'Monday' THEN ss_sales_price ELSE NULL END) AS monday,
  sum(CASE WHEN d_day_name = 'Friday' THEN ss_sales_price ELSE NULL END) AS friday,
  count(DISTINCT CASE d_day_name WHEN 'Saturday' THEN ss_customer_sk END) AS saturday_customers
FROM date_dim, store_sales, store
WHERE d_date_sk = ss_sold_date_sk AND s_store_sk = ss_store_sk AND d_year = 2000
GROUP BY s_store_name
ORDER BY s_store_name, sunday, monday
LIMIT 100
