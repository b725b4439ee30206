SELECT i_item_id FROM item WHERE i_item_sk NOT IN (SELECT sr_item_sk FROM store_returns WHERE sr_return_quantity > 19)
