SELECT i_category, count(*) AS items
FROM item
WHERE i_current_price > (
  SELECT avg(j.i_current_price) FROM item j WHERE j.i_category = item.i_category
)
GROUP BY i_category
HAVING count(*) >= (SELECT min(items) FROM (SELECT count(*) AS items FROM item GROUP BY i_category))
