import { joinPath } from '@everscan/contract/schema/paths.ts'
import { menuWords } from '../../words/menu-words.ts'
import { Folded } from '../../ui/options.tsx'
import { contentSchema, type DraftData } from '../content-schemas.ts'
import { SchemaFields, type FormPaths } from '../schema-fields.tsx'
import { MenuHours } from './menu-hours.tsx'
import { readLogo, readPhoto } from './menu-pictures.ts'
import { PictureField } from './picture-field.tsx'

const text = menuWords
const fields = ['phone', 'bookingUrl', 'address']
const details = [...fields, 'photo', 'logo', 'openingHours']

type Props = { data: DraftData; path: string; form: FormPaths; onChange: (data: DraftData) => void }

/** Edits what a menu says of its restaurant. All of it is optional. */
export function MenuDetails({ data, path, form, onChange }: Props) {
  const picture = (name: string) => {
    const value = data[name]
    return {
      picture: typeof value === 'string' ? value : '',
      problem: form.problemAt(joinPath(path, name)),
      onChange: (next: string | undefined) => onChange({ ...data, [name]: next }),
    }
  }
  const isFilled = details.some((name) => data[name] !== undefined && data[name] !== '')
  return (
    <Folded title={text.about} open={isFilled}>
      <div className="grid gap-4 sm:grid-cols-2">
        <PictureField label={text.photo} hint={text.photoHint} read={readPhoto} {...picture('photo')} />
        <PictureField label={text.logo} hint={text.logoHint} read={readLogo} {...picture('logo')} />
      </div>
      <SchemaFields
        wordsKey="MENU"
        path={path}
        schema={contentSchema('MENU')}
        value={data}
        names={fields}
        form={form}
        onChange={onChange}
      />
      <MenuHours
        value={data['openingHours']}
        path={joinPath(path, 'openingHours')}
        form={form}
        onChange={(openingHours) => onChange({ ...data, openingHours })}
      />
    </Folded>
  )
}
