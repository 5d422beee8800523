import '#src/contract/fact-types.ts'

// Facts of the areas that only tests have.
declare module '#src/contract/fact-types.ts' {
  interface FactPayloads {
    readonly 'pin.put_up': { readonly pin_id: string }
    readonly 'pin.hidden': { readonly pin_id: string }
    readonly 'pin.changed': { readonly pin_id: string; readonly fields: readonly string[] }
    readonly 'pinboard.cleared': { readonly by_member: boolean }
    readonly 'purchase.overpaid': { readonly order_id: string }
    readonly 'unguarded.written': Readonly<Record<string, never>>
  }
}
