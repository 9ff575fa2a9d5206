/** What is wrong with the name of a time zone, as the files of the host have it: upper and lower case differ. */
export function zoneFault(zone: string): string | undefined {
  const hint = 'Must be the name of a time zone such as "Europe/Berlin" or "Etc/UTC"';
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    const isMisspelt = known !== zone && known.toLowerCase() === zone.toLowerCase();
    return isMisspelt ? `${hint}, here "${known}".` : /^[+-]/.test(zone) ? `${hint}.` : undefined;
  } catch {
    return `${hint}.`;
  }
}
