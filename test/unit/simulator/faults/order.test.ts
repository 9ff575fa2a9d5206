import { describe, expect, test } from "vitest";
import { parseFault, readFault } from "../../../../src/simulator/faults/order.ts";

describe("ordering a fault", () => {
  test("the short form of the command line is the same as the JSON form", () => {
    const short = parseFault("fail,task=qmclone,nth=2,text=out of space");
    expect(short).toEqual(parseFault('{"do":"fail","task":"qmclone","nth":2,"text":"out of space"}'));
    expect(short).toEqual({ do: "fail", task: "qmclone", nth: 2, text: "out of space" });
  });

  test("a name alone switches it on", () => {
    expect(parseFault("reset,call=POST /pools,after")).toEqual({ do: "reset", call: "POST /pools", after: 1 });
  });

  test.each<[unknown, string]>([
    ["x", "fault: must be an object"],
    [{ do: "explode" }, "fault.do: must be one of fail, slow, answer"],
    [{ do: "fail", task: "qmclone" }, "fault.text: property is missing and it is not optional"],
    [{ do: "hold_lock", vmid: 100, seconds: "long" }, "fault.seconds: type check ('number') failed - got 'long'"],
    [{ do: "answer", call: "POST /pools", status: 200 }, "fault.status: value must have a minimum value of 400"],
    [{ do: "reset", call: "/pools" }, "fault.call: value does not match the regex pattern"],
    [{ do: "revoke", privilege: "VM.Monitor" }, "fault.privilege: invalid format - invalid privilege 'VM.Monitor'"],
  ])("%j is refused with the place named", (order, complaint) => {
    expect(() => readFault(order, "fault")).toThrow(complaint);
  });
});
