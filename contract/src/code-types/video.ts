import type { Static } from 'typebox'
import { Url, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { destinationsIn, required, textsOf, type CodeType } from './code-type.ts'

/** Content of a VIDEO code: a link to a video. */
export const VideoData = strictObject(
  { url: Url('Address of the video: http or https.') },
  { description: 'Content of type VIDEO.', examples: [{ url: 'https://example.com/film' }] },
)
export type VideoData = Static<typeof VideoData>

export const video = {
  schema: VideoData,
  answers: 'redirect',
  redirect: (data) => textOf(data, 'url'),
  destinations: destinationsIn('url'),
  leads: textsOf('url'),
  importColumns: [required('url', 'https://example.com/film')],
} satisfies CodeType
