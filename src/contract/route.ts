import type { Static, TObject } from 'typebox'

/** The methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Refuses parameters that are not exactly those of a path. */
export type Exactly<Params extends TObject, Path extends string> = [keyof Static<Params>] extends [NamesIn<Path>]
  ? [NamesIn<Path>] extends [keyof Static<Params>]
    ? unknown
    : { error: 'a parameter of the route is not declared' }
  : { error: 'a declared parameter is not in the route' }
