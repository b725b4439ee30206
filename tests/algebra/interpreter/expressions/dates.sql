year(d)
month(d)
day(d)
quarter(d)
dayofweek(d)
weekday(d)
dayofyear(d)
weekofyear(d)
hour(t)
minute(t)
second(t)
date_add(d, 3)
date_sub(d, i)
datediff(d, e)
add_months(d, 2)
last_day(d)
next_day(d, 'Mon')
trunc(d, 'month')
trunc(d, 'year')
trunc(d, 'week')
trunc(d, 'quarter')
date_trunc('month', t)
date_trunc('hour', t)
d + INTERVAL 1 MONTH
d - INTERVAL '2' DAY
d + INTERVAL 1 YEAR
t + INTERVAL 3 HOURS
d + 1
d - 1
EXTRACT(YEAR FROM d)
EXTRACT(MONTH FROM t)
to_date('2024-02-29')
to_date('29/02/2024', 'dd/MM/yyyy')
try_to_date('x', 'dd/MM/yyyy')
date_format(d, 'yyyy-MM')
make_date(2024, 2, 29)
unix_date(d)
date_from_unix_date(10)
DATE '2024-01-01' < d
to_timestamp('2024-02-29 01:02:03')
t - INTERVAL 1 DAY
