2147483647 + id
-2147483648 - id
9223372036854775807 * 2 + l
1 / (i - i)
id % 0
id div 0
CAST('x' AS int)
CAST('1.5' AS int)
CAST(l * 1000 AS int)
CAST('2024-02-30' AS date)
CAST('maybe' AS boolean)
CAST(12345 AS decimal(3,0))
array(1, 2)[5]
element_at(array(1), 2)
raise_error('no')
-(-2147483648 - id + id)
make_date(2024, 2, 30)
to_date('x', 'yyyy')
