/** The brand of a saved method that is a bank account: it is debited over days, and its owner is told before. Providers use this one. */
export const DEBIT_BRAND = 'sepa_debit'
