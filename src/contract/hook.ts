import type { SchoolContext } from './context.ts'

type HookFunction<Input, Output> = (input: Input, context: SchoolContext) => Promise<Output>

/** An extension point that an area declares and later areas implement. */
type Hook<Input, Output> = {
  readonly name: string
  /** Calls every implementation and returns their results, in the order of the areas. */
  call(input: Input, context: SchoolContext): Promise<Output[]>
  /** Adds or replaces the implementation of an area; for tests, since areas use `implement`. */
  set(area: string, run: HookFunction<Input, Output>): void
}

/** What an area does when a hook of an earlier area is called. */
export type Implementation = {
  readonly hook: string
  register(area: string): void
}

const names = new Set<string>()

/** Declares a hook; a name can be declared once. */
export const hook = <Input, Output>(name: string): Hook<Input, Output> => {
  if (names.has(name)) throw new Error(`the hook ${name} is declared twice`)
  names.add(name)
  const implementations = new Map<string, HookFunction<Input, Output>>()
  return {
    name,
    call: (input, context) => Promise.all([...implementations.values()].map(run => run(input, context))),
    set: (area, run) => void implementations.set(area, run),
  }
}

/** Implements a hook of an earlier area; the area lists it under `hooks`. */
export const implement = <Input, Output>(
  { name, set }: Hook<Input, Output>,
  run: HookFunction<Input, Output>,
): Implementation => ({
  hook: name,
  register: area => set(area, run),
})

/** Registers the implementations of an area; throws when it implements a hook twice. */
export const registerHooks = (area: string, implementations: readonly Implementation[]): void => {
  const seen = new Set<string>()
  for (const { hook: name, register } of implementations) {
    if (seen.has(name)) throw new Error(`the area ${area} implements the hook ${name} twice`)
    seen.add(name)
    register(area)
  }
}
