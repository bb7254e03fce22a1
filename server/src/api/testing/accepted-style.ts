import type { Style } from '@everscan/contract/resources/styles.ts'
import { ApiError } from '../../errors.ts'
import { acceptQrCodeStyle } from '../../product/styles/qr-code-styles.ts'
import type { StyledSample } from './random-styles.ts'
import { styleWork } from './style-work.ts'

/** Returns the style of a sample as it is stored, or undefined if it is refused. */
export async function acceptedStyle(sample: StyledSample): Promise<Style | undefined> {
  const { style, publicUrl, shortCode, isChosen } = sample
  try {
    const code = {
      publicUrl,
      shortCode: isChosen ? shortCode : undefined,
      work: { ...styleWork, suggests: false },
    }
    return (await acceptQrCodeStyle(style, code)).style
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return undefined
    throw error
  }
}
