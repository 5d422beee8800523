import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { recordFacts } from '#src/db/audit.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { coarseNetwork } from '#src/kit/net.ts'
import { type ActiveLink, insertDownload, markUsed, takeDownload } from './queries.ts'
import { noneLeft } from './rules.ts'

/** The network of a request, as the log has it. */
export const loggedNetwork = ({ network }: EndpointRequest): string => coarseNetwork(network)

/**
 * Counts a download when the first byte of a link is about to be sent, once for each link, and logs the network. Refuses
 * when the member has no download of the file left; of several links at once the limit decides which succeed.
 */
export const countDownload = async (request: EndpointRequest, link: ActiveLink): Promise<void> => {
  if (link.is_used && link.is_logged) return
  const { school, database } = request
  await database.transaction(school.id, async (db, now) => {
    const isFirst = (await markUsed(db, school.id, link.id)) > 0
    const isCounted = isFirst && link.is_counted
    if (isCounted && (await takeDownload(db, school.id, { memberId: link.member_id, fileId: link.file_id })) === 0)
      throw noneLeft()
    const rowId = newUuid(now.getTime())
    await insertDownload(db, school.id, { ...link, rowId, network: loggedNetwork(request), isCounted })
    if (!isCounted) return
    const payload = { download_link_id: toId('dlk', link.id), file_id: toId('dpf', link.file_id) }
    const fact = { type: 'download.counted' as const, payload: { ...payload, member_id: toId('mem', link.member_id) } }
    await recordFacts(db, { schoolId: school.id, now }, [fact])
  })
}
