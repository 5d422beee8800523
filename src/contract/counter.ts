/** What each process counts for the operator since it started, by the values of one label, which are few. */
export type Counter = { readonly name: string; readonly help: string; readonly label: string }

/** Counts one more with a value of the label. */
export type Count = (counter: Counter, value: string) => void
