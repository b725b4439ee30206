SELECT
  s_store_name,
  coalesce(sold, 0) AS sold,
  coalesce(returned, 0.00) AS returned,
  coalesce(sold, 0) - coalesce(returned, 0) AS net
FROM store
LEFT JOIN (SELECT ss_store_sk, sum(ss_ext_sales_price) AS sold FROM store_sales GROUP BY 1) ON s_store_sk = ss_store_sk
LEFT JOIN (SELECT sr_store_sk, sum(sr_return_amt) AS returned FROM store_returns GROUP BY 1) ON s_store_sk = sr_store_sk
ORDER BY net DESC
