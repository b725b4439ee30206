SELECT count(*) AS a, count(i) AS b, count(DISTINCT p) AS c, count(DISTINCT i, j) AS d, sum(i) AS e, avg(i) AS f FROM t
SELECT sum(m) AS a, avg(m) AS b, sum(x) AS c, avg(x) AS d, min(s) AS e, max(d) AS f, min(x) AS g, max(m) AS h FROM t
SELECT count_if(p) AS a, bool_or(p) AS b, bool_and(q) AS c, any(p) AS d, every(p) AS e, bit_or(i) AS f, bit_and(j) AS g, bit_xor(i) AS h FROM t
SELECT stddev(i) AS a, stddev_pop(i) AS b, variance(i) AS c, var_pop(i) AS d, stddev_samp(x) AS e, median(i) AS f, percentile(i, 0.25) AS g FROM t
SELECT max_by(s, i) AS a, min_by(s, i) AS b, sort_array(collect_list(i)) AS c, sort_array(collect_set(j)) AS d FROM t WHERE id < 4
SELECT sum(i) FILTER (WHERE p) AS a, count(*) FILTER (WHERE i > 0) AS b, sum(DISTINCT j) AS c, count(DISTINCT i) FILTER (WHERE j > 0) AS d FROM t
SELECT count(*) AS a, sum(i) AS b, count_if(p) AS c, max(s) AS d, collect_list(i) AS e, bool_or(p) AS f FROM t WHERE false
SELECT p, count(*) AS a, sum(i) AS b FROM t GROUP BY p
SELECT p, count(*) AS a FROM t WHERE false GROUP BY p
SELECT p, q, count(*) AS a, grouping_id() AS g FROM t GROUP BY ROLLUP (p, q)
SELECT p, q, count(*) AS a, grouping(p) AS g, grouping(q) AS h FROM t GROUP BY CUBE (p, q)
SELECT p, q, sum(i) AS a FROM t GROUP BY GROUPING SETS ((p), (q), ())
SELECT p, count(*) AS a FROM t WHERE false GROUP BY ROLLUP (p)
SELECT p, count(*) AS a FROM t GROUP BY GROUPING SETS ((p), (p), ())
SELECT p, sum(if(p, 1, 2)) AS a FROM t GROUP BY ROLLUP (p)
SELECT x / 0.5 AS k, count(*) AS n FROM t GROUP BY x / 0.5 HAVING count(*) > 0
SELECT first(i, true) AS a, last(i, true) AS b, any_value(i, true) AS c FROM t WHERE id IN (1, 3)
SELECT id, row_number() OVER (ORDER BY i, id) AS a, rank() OVER (ORDER BY p) AS b, dense_rank() OVER (ORDER BY p DESC) AS c FROM t
SELECT id, ntile(3) OVER (ORDER BY id) AS a, percent_rank() OVER (ORDER BY p) AS b, cume_dist() OVER (ORDER BY p) AS c FROM t
SELECT id, lag(i) OVER (ORDER BY id) AS a, lead(i, 2, -9) OVER (ORDER BY id) AS b, lag(i) IGNORE NULLS OVER (ORDER BY id) AS c FROM t
SELECT id, lead(i, 1) IGNORE NULLS OVER (ORDER BY id) AS a, lag(s, 1, 'none') OVER (PARTITION BY p ORDER BY id) AS b FROM t
SELECT id, first_value(i) OVER (ORDER BY id DESC) AS a, last_value(i) OVER (ORDER BY id) AS b, nth_value(i, 2) OVER (ORDER BY id) AS c FROM t
SELECT id, first_value(i) IGNORE NULLS OVER (ORDER BY i) AS a, last_value(i) IGNORE NULLS OVER (ORDER BY id) AS b FROM t
SELECT id, sum(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a, count(*) OVER (ORDER BY id ROWS 1 PRECEDING) AS b FROM t
SELECT id, sum(i) OVER (ORDER BY j RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS a, count(*) OVER (ORDER BY j DESC RANGE BETWEEN 3 PRECEDING AND 1 PRECEDING) AS b FROM t
SELECT id, count(*) OVER (ORDER BY j RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS a, count(*) OVER (ORDER BY j NULLS LAST RANGE BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS b FROM t
SELECT id, count(*) OVER (ORDER BY d RANGE BETWEEN INTERVAL 100 DAYS PRECEDING AND CURRENT ROW) AS a, sum(m) OVER (PARTITION BY p) AS b FROM t
SELECT id, count(*) OVER (ORDER BY x RANGE BETWEEN 4 PRECEDING AND CURRENT ROW) AS a FROM t
SELECT id, max(s) OVER (ORDER BY p) AS b, avg(m) OVER () AS c FROM t
SELECT id, collect_list(id) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING) AS a, sum(i) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS b FROM t
SELECT id, i FROM t ORDER BY i DESC NULLS FIRST, id LIMIT 2 OFFSET 1
SELECT id, i FROM t ORDER BY i NULLS LAST LIMIT 3
SELECT id, v FROM t LATERAL VIEW explode(a) AS v
SELECT id, k, v FROM t LATERAL VIEW OUTER posexplode(a) AS k, v
SELECT id, k, v FROM t LATERAL VIEW explode(map('a', i, 'b', j)) AS k, v
SELECT id, k, v FROM t LATERAL VIEW stack(2, 'a', i, 'b', j) AS k, v
SELECT id, k, v FROM t LATERAL VIEW inline(array(named_struct('k', i, 'v', s), named_struct('k', j, 'v', u))) AS k, v
SELECT i FROM t UNION SELECT j FROM t
SELECT i FROM t UNION ALL SELECT x FROM t
SELECT i FROM t UNION ALL SELECT m FROM t
SELECT p FROM t INTERSECT SELECT q FROM t
SELECT p FROM t INTERSECT ALL SELECT q FROM t
SELECT p FROM t EXCEPT SELECT q FROM t
SELECT p FROM t EXCEPT ALL SELECT NULL
SELECT * FROM VALUES (1, 'a', 1.5), (2, NULL, 2) AS v(a, b, c)
SELECT l.id, r.id AS other FROM t AS l FULL JOIN t AS r ON l.i = r.j
SELECT l.id, r.id AS other FROM t AS l LEFT JOIN t AS r ON l.p <=> r.q
SELECT id FROM t WHERE i NOT IN (SELECT j FROM t)
SELECT id FROM t WHERE i NOT IN (SELECT j FROM t WHERE j IS NOT NULL)
SELECT id, EXISTS (SELECT 1 FROM t AS r WHERE r.j = o.j AND r.id <> o.id) AS e FROM t AS o
SELECT id, (SELECT max(r.i) FROM t AS r WHERE r.id < o.id) AS m, (SELECT count(*) FROM t AS r WHERE r.j = o.i) AS n FROM t AS o
SELECT DISTINCT p, x IS NULL AS z FROM t
