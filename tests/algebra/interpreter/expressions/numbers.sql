i + j
i - j
i * j
-i
i / 2
i % 3
-i % 3
i div 2
-7 div 2
l + i
l * 2
x + i
x * y
x - m
x / 4
m + n
m - n
m * n
m / 4
m / n
m % 2
m + 1
m * 2
n / 3
i / m + 1
i & 6
i | j
i ^ j
~i
shiftleft(i, 2)
shiftright(i, 1)
i << 3
shiftright(j, 40)
shiftrightunsigned(j, 1)
try_divide(i, j)
try_divide(i, 0)
try_add(i, 2147483647)
try_multiply(l, l)
try_subtract(i, j)
try_divide(m, 0)
try_divide(x, 0)
abs(i)
abs(m)
ceil(x)
floor(x)
ceil(m)
floor(m)
round(x)
round(m, 1)
round(x, 1)
round(i, -1)
bround(x)
bround(m, 1)
sign(x)
sqrt(abs(i))
pow(i, 2)
exp(0)
ln(4)
log10(1000)
log2(8)
ln(x)
mod(i, 3)
pmod(i, 4)
bit_count(7)
hex(255)
1.5 + 2
1e3 + 1
5000000000 + 1
isnan(x)
negative(i)
positive(i)
rint(x)
cbrt(27)
log(2, 8)
