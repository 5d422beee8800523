import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import type { TestReply } from './http.ts'
import { until } from './until.ts'
import { type Uploader, uploader } from './uploads.ts'

/** Somebody who deploys static pages. */
export type Deployer = Uploader & {
  /** Creates a static page; returns its id. */
  page(path: string): Promise<string>
  /** Uploads an archive and deploys it; returns the reply. */
  deploy(pageId: string, archive: Buffer): Promise<TestReply>
  /** The same, and waits until the worker has checked it; returns the deployment with its files. */
  deployed(pageId: string, archive: Buffer): Promise<TestReply['json']>
  /** Promotes a deployment with the current ETag of its page. */
  promote(pageId: string, deploymentId: string): Promise<TestReply>
  publish(pageId: string): Promise<TestReply>
}

/** Connects an app that deploys static pages for the owner. */
export const deployer = async (app: TestApp): Promise<Deployer> => {
  const ada = await uploader(app, 'ada', app.a, ['pages:read', 'pages:write'])
  const page = async (path: string): Promise<string> => {
    const { status, json, text } = await ada.write('POST', '/pages', { kind: 'static', title: 'Landing', path })
    assert.equal(status, 201, text)
    return json.id
  }
  const deploy = async (pageId: string, archive: Buffer): Promise<TestReply> => {
    const described = { purpose: 'page', filename: 'site.zip', content_type: 'application/zip' }
    const { json } = await ada.upload(archive, described)
    return ada.write('POST', `/pages/${pageId}/deployments`, { file_id: json.file.file_id })
  }
  const deployed = async (pageId: string, archive: Buffer) => {
    const { status, json, text } = await deploy(pageId, archive)
    assert.equal(status, 201, text)
    let deployment = json
    await until(async () => {
      deployment = (await ada.get(`/pages/${pageId}/deployments/${json.id}`)).json
      return deployment.status !== 'uploaded'
    }, 'the worker checks the archive')
    return deployment
  }
  const readEtag = async (pageId: string): Promise<string> => String((await ada.get(`/pages/${pageId}`)).headers.etag)
  return {
    ...ada,
    page,
    deploy,
    deployed,
    promote: async (pageId, id) =>
      ada.write('PUT', `/pages/${pageId}/deployments/${id}/promotion`, undefined, {
        'if-match': await readEtag(pageId),
      }),
    publish: pageId => ada.write('PUT', `/pages/${pageId}/publication`, {}),
  }
}

/** Gives the first school a host for its pages at the application's own port; returns it. */
export const setPagesHost = async (app: TestApp, host = `pages.localhost:${app.port}`): Promise<string> => {
  await app.database.query(`insert into hosts (host, school_id, purpose) values ($1, $2, 'pages')`, [host, app.a.id])
  return host
}

/** The hashes of the objects of deployments in the store. */
export const siteObjects = async ({ files, a }: TestApp): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of files.store.list(`sites/${a.id}/`)) keys.push(key.slice(key.lastIndexOf('/') + 1))
  return keys
}

/**
 * Waits until the first school has exactly these objects of deployments, by their hashes, and the job that removes objects
 * has ended and gave back their quota.
 */
export const untilObjects = async (app: TestApp, hashes: readonly string[]): Promise<void> => {
  const expected = [...hashes].sort().join()
  const isSettled = async (): Promise<boolean> => {
    const [row] = await app.database.query<{ is_due: boolean }>(
      `select exists (select from page_objects where school_id = $1 and removing_since is not null)
         or exists (select from jobs
           where school_id = $1 and kind = 'page_objects' and due_at < stoa.now() + interval '12 hours') as is_due`,
      [app.a.id],
    )
    return row?.is_due === false
  }
  await until(
    async () => (await siteObjects(app)).join() === expected && (await isSettled()),
    'the objects of deployments',
  )
}
