WITH total_return AS (
  SELECT sr_customer_sk AS customer_sk, sr_store_sk AS store_sk, sum(sr_return_amt) AS returned
  FROM store_returns JOIN date_dim ON sr_returned_date_sk = d_date_sk
  WHERE d_year = 2000
  GROUP BY sr_customer_sk, sr_store_sk
)
SELECT c_customer_id
FROM total_return ctr1, store, customer
WHERE ctr1.returned > (
    SELECT avg(returned) * 1.2 FROM total_return ctr2 WHERE ctr1.store_sk = ctr2.store_sk
  )
  AND s_store_sk = ctr1.store_sk
  AND ctr1.customer_sk = c_customer_sk
ORDER BY c_customer_id
