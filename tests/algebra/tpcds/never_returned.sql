SELECT c_customer_id
FROM customer
WHERE c_customer_sk NOT IN (SELECT sr_customer_sk FROM store_returns WHERE sr_customer_sk IS NOT NULL AND sr_return_quantity > 15)
  AND c_current_addr_sk IN (SELECT ca_address_sk FROM customer_address WHERE ca_state <> 'TX')
