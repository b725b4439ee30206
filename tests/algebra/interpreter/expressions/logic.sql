i = j
i <> j
i < j
i <= 7
i > j
i >= 0
i <=> j
NOT (i <=> j)
p AND q
p OR q
NOT p
p AND NOT q
p IS TRUE
p IS NOT TRUE
p IS FALSE
p IS NULL
i IS NOT NULL
(p AND q) IS NULL
i BETWEEN -7 AND 0
i NOT BETWEEN j AND 7
i IN (7, 0)
i IN (7, NULL)
i NOT IN (1, NULL)
i NOT IN (1, 2)
i IN (j, 7)
s IN ('12', 'abc')
CASE WHEN p THEN 1 WHEN q THEN 2 END
CASE i WHEN 7 THEN 'x' WHEN 0 THEN 'y' ELSE s END
CASE WHEN p THEN 1 ELSE 2.5 END
CASE WHEN p THEN i ELSE x END
if(p, i, l)
coalesce(i, 1)
coalesce(NULL, s, 'z')
nvl(p, false)
nullif(i, 7)
nullif(s, 'abc')
greatest(i, j)
least(i, j, 3)
greatest(x, i)
d < e
d = '2024-02-29'
s < 'b'
x = i
m > n
m = 1.25
x > m
i = '7'
p = q
p <=> q
t > d
struct(i, j) = struct(7, -2)
coalesce(i, x)
coalesce(m, i)
