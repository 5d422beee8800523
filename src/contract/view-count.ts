/** Something whose views are counted, without anybody who looked: a resource and its UUID. */
export type Viewed = { readonly type: 'post' | 'form'; readonly id: string }
