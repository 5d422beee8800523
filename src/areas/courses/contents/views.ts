import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { currentHtml } from '#src/kit/body/render.ts'
import { withAddresses } from '#src/kit/body/shown.ts'
import { fromId } from '#src/kit/ids.ts'
import { resolveTime } from '#src/kit/local-time.ts'
import { parseEmbed } from './embeds.rules.ts'
import type { Content, Parts } from './rules.ts'
import type { ContentView } from './schema.ts'

const computeStart = ({ starts_at_local: local, time_zone: zone }: Parts): Date | null =>
  local === null || zone === null ? null : (resolveTime({ local, time_zone: zone })?.at ?? null)

/** The view of a content for a caller who may read it; those who manage the course also see the source of the text. */
export const contentView = async (
  context: Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>,
  content: Content,
  canManage: boolean,
): Promise<ContentView> => {
  const { file_id: main, captions, body_file_ids: inBody } = content
  const ids = [...(main === null ? [] : [main]), ...captions.map(one => one.file_id), ...inBody]
  const files = await fileViews(context, ids)
  return {
    body_html: withAddresses(currentHtml('lesson', content), id => files.get(fromId('fil', id) ?? '')?.url),
    ...(canManage ? { body: content.body, body_format: content.body_format } : {}),
    file: main === null ? null : (files.get(main) ?? null),
    captions: captions.flatMap(({ language, label, file_id: id }) => {
      const file = files.get(id)
      return file === undefined ? [] : [{ language, label, file }]
    }),
    embed: parseEmbed(content.embed_url) ?? null,
    embed_url: content.embed_url,
    starts_at_local: content.starts_at_local,
    time_zone: content.time_zone,
    meeting_url: content.meeting_url,
    starts_at: computeStart(content),
  }
}
