import { readFileSync } from "node:fs";

/** Whether such a command line destroys everything: `terraform destroy`, `tofu -chdir=lab apply -destroy`. */
export function isDestroyCommand([program = "", ...words]: readonly string[]): boolean {
  if (!/(?:^|[\\/])(?:terraform|tofu)[^\\/]*$/.test(program)) return false;
  const command = words.find((word) => !word.startsWith("-"));
  const isReversed = words.some((word) => /^--?destroy(?:=true|=1)?$/.test(word));
  return command === "destroy" || ((command === "plan" || command === "apply") && isReversed);
}

let answer: boolean | undefined;

/**
 * Whether this process serves a destruction. Terraform then plans the whole configuration first, throws that plan away,
 * and stops at any refusal of it. Its protocol does not tell such a plan from any other; the command line of the parent
 * process does, where the system shows it (Linux). Elsewhere `-refresh=false` leaves that plan out.
 */
export function servesDestruction(): boolean {
  answer ??= isDestroyCommand(commandLineOf(process.ppid));
  return answer;
}

/** Empty where the system does not show it. */
export function commandLineOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
