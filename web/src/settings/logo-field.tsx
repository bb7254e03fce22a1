import type { OrganizationDetails } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../session/api.ts'
import { readAsDataUri } from './read-file.ts'
import { showOrganization } from '../session/organizations.ts'
import { problemText } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { settingsWords } from '../words/settings-words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = settingsWords
const logoBytesMax = 1024 * 1024

/** Shows the logo on pages, replaces it, and removes it with undo. */
export function LogoField({ organization }: { organization: OrganizationDetails }) {
  const { id, logo, role } = organization
  const input = useRef<HTMLInputElement>(null)
  const [isTooLarge, setTooLarge] = useState(false)
  const save = useMutation({
    mutationFn: async (next: string | null) => api.organizations.update(id, { logo: next }),
    onSuccess: (saved, next) => {
      showOrganization(saved)
      if (next !== null) showToast({ kind: 'good', text: text.logoSaved })
      else if (logo !== null)
        showToast({ kind: 'good', text: text.logoRemoved, undo: () => save.mutate(logo) })
    },
  })
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setTooLarge(file.size > logoBytesMax)
    if (file.size <= logoBytesMax) save.mutate(await readAsDataUri(file))
  }
  return (
    <section aria-label={text.logo} className="mt-6 grid gap-3 border-t border-line pt-5">
      <h3 className="text-sm font-medium">{text.logo}</h3>
      {isTooLarge && <Notice kind="problem">{text.logoTooLarge}</Notice>}
      {!isTooLarge && save.isError && <Notice kind="problem">{problemText(save.error)}</Notice>}
      <div className="flex flex-wrap items-center gap-4">
        {/* White in both themes, because most logos are made for white. */}
        <div className="flex h-24 w-40 items-center justify-center rounded-control border border-line bg-white p-2 text-sm text-neutral-600">
          {logo === null ? text.noLogo : <img src={logo} alt={text.logo} className="max-h-full max-w-full" />}
        </div>
        {role === 'ADMIN' && (
          <div className="grid gap-2">
            <p className="text-sm text-soft">{text.logoText}</p>
            <div className="flex flex-wrap gap-2">
              <input
                ref={input}
                type="file"
                aria-label={text.chooseLogo}
                accept="image/png,image/jpeg,image/webp"
                className="sr-only"
                tabIndex={-1}
                onChange={(event) => {
                  void choose(event.target.files?.[0])
                  // Lets the user choose the same file again.
                  event.target.value = ''
                }}
              />
              <Button busy={save.isPending} onClick={() => input.current?.click()}>
                {logo === null ? text.chooseLogo : text.replaceLogo}
              </Button>
              {logo !== null && (
                <Button look="quiet" disabled={save.isPending} onClick={() => save.mutate(null)}>
                  {text.removeLogo}
                </Button>
              )}
            </div>
          </div>
        )}
      </div>
    </section>
  )
}
