WITH ssci AS (
  SELECT ss_customer_sk AS customer_sk, ss_item_sk AS item_sk FROM store_sales GROUP BY ss_customer_sk, ss_item_sk
), csci AS (
  SELECT cs_customer_sk AS customer_sk, cs_item_sk AS item_sk FROM catalog_sales GROUP BY cs_customer_sk, cs_item_sk
)
SELECT
  sum(CASE WHEN ssci.customer_sk IS NOT NULL AND csci.customer_sk IS NULL THEN 1 ELSE 0 END) AS store_only,
  sum(CASE WHEN ssci.customer_sk IS NULL AND csci.customer_sk IS NOT NULL THEN 1 ELSE 0 END) AS catalog_only,
  sum(CASE WHEN ssci.customer_sk IS NOT NULL AND csci.customer_sk IS NOT NULL THEN 1 ELSE 0 END) AS both_channels
FROM ssci FULL OUTER JOIN csci ON ssci.customer_sk = csci.customer_sk AND ssci.item_sk = csci.item_sk
