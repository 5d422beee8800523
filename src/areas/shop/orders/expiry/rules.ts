/** The kind of job that ends an order that was not paid in time. */
export const EXPIRY_JOB = 'order_expiry'
