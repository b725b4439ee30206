SELECT ca_state, count(*) AS customers, avg(c_birth_year) AS mean_year, max(c_birth_year) AS last_year
FROM customer c, customer_address ca
WHERE c.c_current_addr_sk = ca.ca_address_sk
  AND EXISTS (
    SELECT * FROM store_sales, date_dim
    WHERE c.c_customer_sk = ss_customer_sk AND ss_sold_date_sk = d_date_sk AND d_year = 2000
  )
  AND (
    EXISTS (
      SELECT * FROM web_sales, date_dim
      WHERE c.c_customer_sk = ws_customer_sk AND ws_sold_date_sk = d_date_sk AND d_year = 2000 AND d_qoy < 2
    )
    OR EXISTS (
      SELECT * FROM catalog_sales, date_dim
      WHERE c.c_customer_sk = cs_customer_sk AND cs_sold_date_sk = d_date_sk AND d_year = 2000 AND d_qoy < 2
    )
  )
GROUP BY ca_state
ORDER BY ca_state
