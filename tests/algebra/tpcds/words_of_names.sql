SELECT part, pos, count(*) AS items
FROM item
LATERAL VIEW posexplode(split(concat_ws('-', i_category, i_class, i_color), '-')) AS pos, part
WHERE length(part) > 3
GROUP BY part, pos
