SELECT i_category, s.low, s.high, size(colours) AS colours, colours[0] AS first_colour
FROM (
  SELECT
    i_category,
    named_struct('low', min(i_current_price), 'high', max(i_current_price)) AS s,
    sort_array(collect_set(i_color)) AS colours
  FROM item
  GROUP BY i_category
)
WHERE s.high > s.low
