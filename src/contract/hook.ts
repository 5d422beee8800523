import type { Db } from './db.ts'
import type { School } from './school.ts'

/** A question an earlier room asks and later rooms answer, inside the caller's transaction. */
export type Hook<Asked, Told> = {
  readonly name: string
  /** Every answer, in the order of the rooms that gave one. */
  ask(asked: Asked, where: { readonly school: School; readonly db: Db }): Promise<Told[]>
  answer(by: string, how: Implementation<Asked, Told>): void
  readonly answeredBy: readonly string[]
}

type Implementation<Asked, Told> = (asked: Asked, where: { readonly school: School; readonly db: Db }) => Promise<Told>

/** Declares a question; rooms answer it through their door and `rooms.ts` connects the two. */
export const hook = <Asked, Told>(name: string): Hook<Asked, Told> => {
  const answers = new Map<string, Implementation<Asked, Told>>()
  return {
    name,
    ask: (asked, where) => Promise.all([...answers.values()].map(how => how(asked, where))),
    answer: (by, how) => void answers.set(by, how),
    get answeredBy() {
      return [...answers.keys()]
    },
  }
}
