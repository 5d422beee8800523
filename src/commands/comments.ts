import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { withInstallation } from './installation.ts'

/** What a verb performs: an operation on a comment or a member, its body from the options, and the sentence of its result. */
type Verb = {
  readonly operation: string
  readonly param: 'comment_id' | 'member_id'
  readonly buildBody?: (run: Run) => Readonly<Record<string, unknown>>
  readonly done: string
}

const reasonIn = (run: Run): string => {
  const reason = textOption(run, 'reason')
  if (reason === undefined) throw new Failed('say why with --reason')
  return reason
}

const verbs: Readonly<Record<string, Verb>> = {
  hide: {
    operation: 'hideComment',
    param: 'comment_id',
    buildBody: run => ({ reason: reasonIn(run) }),
    done: 'The comment is hidden',
  },
  restore: { operation: 'restoreComment', param: 'comment_id', done: 'The comment is published' },
  delete: { operation: 'deleteComment', param: 'comment_id', done: 'The comment is deleted' },
  settle: { operation: 'settleReports', param: 'comment_id', done: 'The comment has no open reports' },
  mute: {
    operation: 'muteCommenter',
    param: 'member_id',
    buildBody: run => ({ reason: reasonIn(run), until: textOption(run, 'until') ?? null }),
    done: 'The member may not comment',
  },
  unmute: { operation: 'unmuteCommenter', param: 'member_id', done: 'The member may comment again' },
}

const parseCall = (run: Run) => {
  const [name = '', id, ...more] = run.positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined || id === undefined || more.length > 0) throw new Failed(`usage: ${comments.usage}`)
  const { operation, param, buildBody, done } = verb
  const body = buildBody === undefined ? {} : { body: buildBody(run) }
  return { done, result: { [param]: id }, call: { operation, params: { [param]: id }, ...body } }
}

/** Does to comments what no app may do: hides, publishes and deletes them, settles reports, and stops commenters. */
export const comments: Command = {
  name: 'comments',
  usage:
    'stoa comments hide|restore|delete|settle COMMENT | mute|unmute MEMBER [--reason REASON] [--until INSTANT] [--school BASE_URL]',
  summary: 'Hide, publish and delete comments of a school, settle their reports, and stop members from commenting',
  options: { ...schoolOption, reason: { type: 'string' }, until: { type: 'string' } },
  async run(run) {
    const { call, result, done } = parseCall(run)
    // After the arguments, since this loads every area.
    const { areas } = await import('#src/areas.ts')
    const { asOperator } = await import('./as-operator.ts')
    await withInstallation(run.config, run.progress, async installation => {
      const { database, secret } = installation
      const school = await chooseSchool(run, installation)
      const parts = { database, secret, storage: run.config.storage, school, areas }
      await asOperator(parts, async (performAs, at) => {
        await performAs(at, call)
        run.tell(result, done)
      })
    })
  },
}
