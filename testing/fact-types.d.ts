import '#src/contract/fact-types.ts'

// Facts of the areas that only tests have.
declare module '#src/contract/fact-types.ts' {
  interface FactTypes {
    readonly 'pin.put_up': string
    readonly 'pin.hidden': string
    readonly 'pin.changed': string
    readonly 'pinboard.cleared': string
    readonly 'purchase.overpaid': string
    readonly 'unguarded.written': string
  }
}
