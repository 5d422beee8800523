/** The password of everybody in the demo data. */
export const PASSWORD = 'a starter needs patience'
