WITH bands (band, low, high) AS (VALUES ('cheap', 0, 25), ('fair', 26, 75), ('dear', 76, NULL))
SELECT band, count(i_item_sk) AS items
FROM bands LEFT JOIN item ON i_current_price >= low AND (i_current_price <= high OR high IS NULL)
GROUP BY band
ORDER BY items DESC, band
