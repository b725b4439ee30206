SELECT
  ss_store_sk,
  count(*) FILTER (WHERE ss_quantity > 50) AS large,
  sum(ss_net_profit) FILTER (WHERE ss_net_profit > 0) AS gains,
  sum(DISTINCT ss_quantity) AS quantities,
  max(ss_sales_price) FILTER (WHERE ss_customer_sk IN (1, 2, 3)) AS highest,
  count_if(ss_net_profit < 0) AS losses,
  bool_or(ss_quantity = 100) AS any_full
FROM store_sales
GROUP BY ss_store_sk
