SELECT *
FROM
  (SELECT avg(ss_sales_price) AS b1_avg, count(ss_sales_price) AS b1_cnt, count(DISTINCT ss_sales_price) AS b1_cntd
   FROM store_sales WHERE ss_quantity BETWEEN 0 AND 30 AND (ss_sales_price BETWEEN 10 AND 80 OR ss_net_profit > 0)) b1,
  (SELECT avg(ss_sales_price) AS b2_avg, count(ss_sales_price) AS b2_cnt, count(DISTINCT ss_sales_price) AS b2_cntd
   FROM store_sales WHERE ss_quantity BETWEEN 31 AND 60 AND (ss_sales_price BETWEEN 50 AND 90 OR ss_net_profit > 0)) b2
